"use strict";
/* The page without a network, after a first visit. What lies in the folder whose name says what is in it never changes, and is
   taken from here; the rest is taken from the network while there is one. */

const FILES = @FILES@;
const SETTLED = "@BOX@/";

addEventListener("install", (event) => event.waitUntil(keepAll()));
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function keepAll() {
  const store = await caches.open("page");
  await Promise.all(FILES.map(async (file) => (settled(file) && (await store.match(file))) || store.add(file)));
}

async function forget() {
  const store = await caches.open("page");
  const wanted = new Set(FILES.map((file) => new URL(file, location).href));
  await Promise.all((await store.keys()).filter(({ url }) => !wanted.has(url)).map((one) => store.delete(one)));
}

const settled = (address) => address.includes(SETTLED);

async function answer(request) {
  const kept = await caches.match(request, { ignoreSearch: true });
  if (kept && settled(request.url)) return kept;
  return fetch(request).catch((error) => kept ?? Promise.reject(error));
}
