"use strict";
/* The page without a network, after a first visit. What lies in the folder whose name says what is in it
   never changes, and is taken from here; the rest is taken from the network while there is one. */

const FILES = ["@FILES@"];
const SETTLED = "@BOX@/";

addEventListener("install", (event) => event.waitUntil(keepAll()));
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

const settled = (address) => address.includes(SETTLED);
const kept = () => caches.open("tictactoe-box");

async function keepAll() {
  const store = await kept();
  const keep = async (file) => (settled(file) && (await store.match(file))) || store.add(file);
  await Promise.all(FILES.map(keep));
}

async function forget() {
  const store = await kept();
  const wanted = new Set(FILES.map((file) => new URL(file, location).href));
  const old = (await store.keys()).filter(({ url }) => !wanted.has(url));
  await Promise.all(old.map((request) => store.delete(request)));
}

async function answer(request) {
  const found = await (await kept()).match(request, { ignoreSearch: true });
  if (found && settled(request.url)) return found;
  return fetch(request).catch((error) => found ?? Promise.reject(error));
}
