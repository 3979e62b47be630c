import { imageSize } from '../count/image-cost.js';
import { mediaName } from '../kit/media-name.js';
import {
  type FilePart,
  type ImagePart,
  itemsOf,
  messageText,
  type Part,
  partsOf,
  partText,
} from '../transcript/message.js';
import type { ReplaceEdit } from '../view/edit.js';
import { defineStrategy, type ViewMessage } from '../view/strategy.js';

type Media = ImagePart | FilePart;

type MediaLimit = ReturnType<typeof mediaLimitIn>;

/** What a provider says that it takes of images and files. Where it names nothing, half of them leave. */
export function mediaLimitIn(text: string) {
  const [, pixels] = /\b(\d{3,5}) ?(?:px|pixels)\b/i.exec(text) ?? [];
  const [, count] =
    /(?:at most|max(?:imum)?(?: of| allowed is)?|最多支持) (\d{1,4})\b|images? > (\d{1,4})\b|\d > (\d{1,4})\b/i
      .exec(text)
      ?.filter((one) => one !== undefined) ?? [];
  const { size, limit } = /size (?<size>\d{1,12}) exceeds limit (?<limit>\d{1,12})/i.exec(text)?.groups ?? {};
  return {
    count: count === undefined ? undefined : Number(count),
    pixels: pixels === undefined ? undefined : Number(pixels),
    /** The share of the whole request that fits, in characters. */
    share: size === undefined ? undefined : Number(limit) / Number(size),
  };
}

interface Holder {
  readonly message: string;
  readonly part: number;
  readonly media: readonly Media[];
  readonly text: string;
  readonly isFree: boolean;
}

/** With what is sent besides, a request should be somewhat smaller than the limit. */
const margin = 0.9;

/**
 * Takes out images and files, the oldest first, until a provider takes the rest: in their place is said what they were. What the model has
 * not read yet stays, as do pinned messages.
 */
export function oldImages(limit: MediaLimit) {
  return defineStrategy({
    name: 'old-images',
    emits: ['replace'],
    plan: ({ view }) => {
      const holders = view.flatMap(holdersIn);
      return { edits: chosen(holders, lengthOf(view), limit).map(edit) };
    },
  });
}

export function isMostlyMedia(view: readonly Pick<ViewMessage, 'message'>[]): boolean {
  const media = view.flatMap(({ message }) => partsOf(message).flatMap(mediaIn));
  return sizeOf(media) > lengthOf(view) / 2;
}

function chosen(holders: readonly Holder[], length: number, limit: MediaLimit): readonly Holder[] {
  const free = holders.filter(({ isFree }) => isFree);
  const all = holders.flatMap(({ media }) => media);
  const { pixels, count = Math.floor(all.length / 2) } = limit;
  if (limit.share !== undefined) return oldest(free, length * (1 - limit.share * margin), sizeOf);
  if (limit.count === undefined && pixels === undefined) return oldest(free, sizeOf(all) / 2, sizeOf);
  const fewer = oldest(free, all.length - count, (media) => media.length);
  if (pixels === undefined) return fewer;
  const isLarge = ({ media }: Holder) => media.some((one) => edgeOf(one) > pixels);
  const large = free.filter(isLarge);
  const isEnough = large.length > 0 && large.length === holders.filter(isLarge).length;
  return isEnough && large.length < fewer.length ? large : fewer;
}

function oldest(
  free: readonly Holder[],
  wanted: number,
  much: (media: readonly Media[]) => number,
): Holder[] {
  let sum = 0;
  return free.filter(({ media }) => {
    if (sum >= wanted) return false;
    sum += much(media);
    return true;
  });
}

function holdersIn({ id, message, pinned }: ViewMessage): Holder[] {
  return partsOf(message).flatMap((part, index) => {
    const media = mediaIn(part);
    if (media.length === 0) return [];
    return [{ message: id, part: index, media, text: partText(part) ?? '', isFree: !pinned }];
  });
}

function mediaIn(part: Part): readonly Media[] {
  if (part.type === 'image' || part.type === 'file') return [part];
  return itemsOf(part).filter((inner): inner is Media => inner.type === 'image' || inner.type === 'file');
}

function edit({ message, part, media, text }: Holder): ReplaceEdit {
  const lines = [...(text === '' ? [] : [text]), ...media.map(markOf)];
  return {
    type: 'replace',
    message,
    part,
    text: lines.join('\n'),
    reason: 'the provider takes fewer images',
  };
}

function markOf(media: Media): string {
  const size = media.type === 'image' ? imageSize(media.image) : undefined;
  const what = [media.type, mediaName(media), size && `of ${size.width} × ${size.height} pixels`];
  return `[${what.filter(Boolean).join(' ')} left out: the provider takes no more]`;
}

function edgeOf(media: Media): number {
  const size = media.type === 'image' ? imageSize(media.image) : undefined;
  return Math.max(size?.width ?? 0, size?.height ?? 0);
}

const sizeOf = (media: readonly Media[]) =>
  media.reduce((sum, one) => sum + (one.type === 'image' ? one.image : one.data).length, 0);

function lengthOf(view: readonly Pick<ViewMessage, 'message'>[]): number {
  return view.reduce(
    (sum, { message }) => sum + messageText(message).length + sizeOf(partsOf(message).flatMap(mediaIn)),
    0,
  );
}
