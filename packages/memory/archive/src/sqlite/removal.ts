import { type Database, isFull } from './database.js';

/** Percent: what FTS5 does if nothing is said. */
const usualMerge = 10;

interface Removal {
  /** The messages to remove. */
  messages(): readonly number[];
  remove(message: number): void;
  /** Removes all of them at once. */
  removeAll(): void;
}

/**
 * Removes messages at once, or one by one if the disk has no room for more.
 * @throws CtxError `archive-full` if there is no room for a single one
 */
export function removeGradually(database: Database, { messages, remove, removeAll }: Removal): void {
  try {
    database.write(removeAll);
    return;
  } catch (error) {
    if (!isFull(error)) throw error;
  }
  database.reclaim();
  mergeAt(database, 0);
  for (const message of messages()) {
    database.write(() => remove(message));
    database.takeIn();
  }
  database.write(removeAll);
  if (database.get('select id from passages limit 1') === undefined)
    database.write(() => database.run("insert into found (found) values ('delete-all')"));
  mergeAt(database, usualMerge);
  database.reclaim();
}

/** Says from how many deleted entries on, in percent, FTS5 writes a part of its index again, which takes room; 0 is never. */
function mergeAt(database: Database, percent: number): void {
  const sql = "insert into found (found, rank) values ('deletemerge', ?)";
  database.write(() => database.run(sql, percent));
}
