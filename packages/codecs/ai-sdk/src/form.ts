import type { FilePart, ImagePart } from '@ctx/core';
import type { Fields } from '@ctx/core/codec';
import { base64Data, isUrl, urlOf } from './media.js';

/** The version of the interface between the AI SDK and its providers, as in `model.specificationVersion`. */
export type PromptVersion = 'v2' | 'v3' | 'v4';

/** What differs between messages and the prompts of each version: the form of images and files that were not there before. */
export interface Form {
  readonly name: string;
  /** True where a message may hold a text in place of a list of parts. */
  readonly isTextContent: boolean;
  /** True where the URL of a file is an object, and a text there is base64. */
  readonly isUrlObject: boolean;
  /** The part for an image or file; undefined where there is none. */
  part(media: ImagePart | FilePart, role: string): Fields | undefined;
  /** The same in the output of a tool. */
  item(media: ImagePart | FilePart): Fields | undefined;
}

/** Any image, if its type is unknown. */
const anyImage = 'image/*';

/** `ModelMessage`, in the forms that versions 5 to 7 all read; images in a tool's output need version 6. */
export const messageForm: Form = {
  name: 'ai-sdk',
  isTextContent: true,
  isUrlObject: false,
  part: (media, role) => {
    if (media.type === 'file')
      return { type: 'file', data: media.data, mediaType: media.mediaType, ...named(media) };
    const { image, mediaType } = media;
    if (role === 'user') return { type: 'image', image, ...(mediaType !== undefined && { mediaType }) };
    return { type: 'file', data: image, mediaType: mediaType ?? anyImage };
  },
  item: itemOfVersion3,
};

/** The prompt of a provider. */
export function promptForm(version: PromptVersion): Form {
  const isTagged = version === 'v4';
  return {
    name: 'ai-sdk-prompt',
    isTextContent: false,
    isUrlObject: !isTagged,
    part: (media) => filePart(media, isTagged),
    item: { v2: itemOfVersion2, v3: itemOfVersion3, v4: (media: Media) => filePart(media, true) }[version],
  };
}

type Media = ImagePart | FilePart;

function filePart(media: Media, isTagged: boolean): Fields | undefined {
  const text = textOf(media);
  const url = isUrl(text) ? urlOf(text) : undefined;
  if (url !== undefined) {
    const data = isTagged ? { type: 'url', url, ...original(url, text) } : url;
    return { type: 'file', data, mediaType: media.mediaType ?? anyImage, ...named(media) };
  }
  const base64 = isUrl(text) ? undefined : base64Data(text);
  if (base64 === undefined) return undefined;
  const data = isTagged ? { type: 'data', data: base64.data } : base64.data;
  return { type: 'file', data, mediaType: typeOf(media, base64.mediaType), ...named(media) };
}

function itemOfVersion2(media: Media): Fields | undefined {
  const base64 = isUrl(textOf(media)) ? undefined : base64Data(textOf(media));
  if (base64 === undefined) return undefined;
  return { type: 'media', data: base64.data, mediaType: typeOf(media, base64.mediaType) };
}

function itemOfVersion3(media: Media): Fields | undefined {
  const text = textOf(media);
  if (isUrl(text)) {
    if (media.type === 'image') return { type: 'image-url', url: text };
    return { type: 'file-url', url: text, mediaType: media.mediaType };
  }
  const base64 = base64Data(text);
  if (base64 === undefined) return undefined;
  const type = media.type === 'image' ? 'image-data' : 'file-data';
  return { type, data: base64.data, mediaType: typeOf(media, base64.mediaType), ...named(media) };
}

function textOf(media: Media): string {
  return media.type === 'image' ? media.image : media.data;
}

function typeOf(media: Media, inUrl: string | undefined): string {
  return inUrl ?? media.mediaType ?? anyImage;
}

/** A URL that is written otherwise than it was given. */
function original(url: URL, text: string): Fields {
  return url.href === text ? {} : { originalUrl: text };
}

function named(media: Media): Fields {
  return media.type === 'file' && media.filename !== undefined ? { filename: media.filename } : {};
}
