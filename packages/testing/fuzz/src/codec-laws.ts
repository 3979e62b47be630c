import { anthropicCodec } from '@ctx/codec-anthropic';
import { googleCodec } from '@ctx/codec-google';
import { openaiCodec } from '@ctx/codec-openai';
import type { Codec } from '@ctx/core';
import type { LawBook } from './laws.js';
import type { Setup } from './setup.js';
import type { Seen } from './subject.js';

const codecs: Readonly<Record<string, Codec<unknown>>> = {
  anthropic: anthropicCodec as unknown as Codec<unknown>,
  google: googleCodec as unknown as Codec<unknown>,
  openai: openaiCodec as unknown as Codec<unknown>,
};

/** Checks that a view breaks no rule of its provider that the conversation itself does not break. */
export function checkCodecs(book: LawBook, { provider }: Setup, { view, transcript, records }: Seen): void {
  const codec = provider === undefined ? undefined : codecs[provider];
  if (codec === undefined || view === undefined || records.length === 0) return;
  const broken = codec.validate(codec.fromMessages(view));
  if (broken.length === 0) {
    book.check('codec-valid', undefined);
    return;
  }
  const whole = new Set(
    codec.validate(codec.fromMessages(transcript.map(({ message }) => message))).map(({ rule }) => rule),
  );
  const [own] = broken.filter(({ rule }) => !whole.has(rule));
  book.check('codec-valid', own && `${own.rule} at message ${own.index}: ${own.detail}`);
}
