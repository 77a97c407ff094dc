/* What a lesson is about, in one language: what is searched, and what its values mean. */

/** What is searched, in a paragraph. @type {(say: Say) => string} */
function leadOf(say) {
  const { rule, guessed, depth, players, nodes } = say.outline;
  const size = say.say("lead-size", { count: nodes.length });
  if (!rule) return `${say.say("lead-tree")} ${size}`;
  const deep = guessed ? say.say("lead-depth", { count: depth }) : say.say("lead-end");
  return `${say.say("lead-board", { player: players[0] })} ${say.say(`lead-${rule}`)} ${deep} ${size}`;
}

/** What the values mean, a few sentences each. @type {(say: Say) => string[]} */
function notesOf(say) {
  const { rule, guessed, depth } = say.outline;
  const { algorithm, table } = say.options;
  const lines = [sidesOf(say)];
  if (!say.plain) lines.push(say.say("note-window"), say.say("note-bounds"));
  if (algorithm === "alpha-beta") lines.push(say.say("note-soft"));
  if (algorithm === "fail-hard") lines.push(say.say("note-hard"));
  if (table) lines.push(say.say("note-table"));
  if (rule) lines.push(say.say("note-scores"));
  if (guessed) lines.push(`${say.say("note-guess", { count: depth })} ${say.say(`note-guess-${rule}`)}`);
  return lines;
}

/** @type {(say: Say) => string} */
function sidesOf(say) {
  const { rule, players } = say.outline;
  const [hero, villain] = players;
  if (!say.negamax) return say.say(rule ? "note-board" : "note-tree", { hero, villain });
  const note = say.say("note-negamax", { hero, villain });
  return rule ? note : `${note} ${say.say("note-negamax-leaf")}`;
}
