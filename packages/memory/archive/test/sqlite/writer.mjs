// Writes a conversation into an archive until it is killed, or so many messages, and says after each put which message is there.
// Usage: node writer.mjs <built sqlite door> <file> <conversation> <first message> [how many]
import { writeSync } from 'node:fs';

const [, , door, file, conversation, first, count = 'Infinity'] = process.argv;
const { sqliteArchive } = await import(door);
const archive = await sqliteArchive(file, { busyTimeout: 60_000 });
writeSync(1, 'open\n');
for (let message = Number(first); message < Number(first) + Number(count); message += 1) {
  const text = (part) => `message ${message} part ${part} ${'some words to index '.repeat(20)}`;
  const entry = { conversation, message, kind: 'assistant', heading: 'assistant', time: message };
  await archive.put([
    { ...entry, part: 0, line: 1, text: text(0) },
    { ...entry, part: 1, line: 2, text: text(1) },
  ]);
  writeSync(1, `${message}\n`);
}
await archive.close();
