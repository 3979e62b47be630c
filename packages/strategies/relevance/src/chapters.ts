import type { Exchange, PlanContext } from '@ctx/core';

type Chapters = PlanContext['chapters'];

/** Chapters whose messages an excerpt is made from. What was said before them is read as it stands in the view. */
const chaptersRead = 2;

/** Position in the transcript of the first message that is read. */
export function readFrom(chapters: Chapters = []): number {
  return chapters.at(-chaptersRead) ?? 0;
}

/** The messages of a transcript that are read. */
export function messagesRead(
  transcript: PlanContext['transcript'],
  chapters: Chapters,
): PlanContext['transcript'] {
  const from = readFrom(chapters);
  return from === 0 ? transcript : transcript.filter(({ index }) => index >= from);
}

/** The number of the chapter that an exchange belongs to; all that was said before those that are read count as the one before them. */
export function chapterOf({ messages: [first] }: Exchange, chapters: Chapters = []): number {
  const position = first?.position ?? 0;
  return Math.max(
    earlyChapter(chapters),
    chapters.findLastIndex((start) => start <= position),
  );
}

/** The number of the chapter that stands for all that was said before those that are read; negative if there is none. */
export function earlyChapter(chapters: Chapters = []): number {
  return chapters.length - chaptersRead - 1;
}

/** Divides exchanges, in order, where a chapter begins. */
export function dividedAtChapters(exchanges: readonly Exchange[], chapters: Chapters): Exchange[][] {
  const parts = new Map<number, Exchange[]>();
  for (const exchange of exchanges) {
    const chapter = chapterOf(exchange, chapters);
    const part = parts.get(chapter);
    if (part === undefined) parts.set(chapter, [exchange]);
    else part.push(exchange);
  }
  return [...parts.values()];
}
