import { assistant, user, words } from '@ctx/testing';
import type { Message } from '../src/index.js';

/** So many messages of this many tokens, in turn of the user and of the assistant. */
export const talk = (count: number, tokens = 10): Message[] =>
  Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? user(words(tokens, `asked${at}`)) : assistant(words(tokens, `said${at}`)),
  );
