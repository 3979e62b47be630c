import { type FilePart, type ImagePart, type TextPart, withoutBytes } from '@ctx/core';
import { type Fields, isFields } from '@ctx/core/codec';

/** An image, sound, film, file or document in each of the forms that LangChain takes; undefined where none of its data is there. */
export function mediaPart(block: Fields): ImagePart | FilePart | TextPart | undefined {
  const text = textIn(block);
  if (text !== undefined) return { type: 'text', text };
  const data = dataIn(block);
  if (data === undefined) return undefined;
  const mediaType = mediaTypeIn(block);
  if (block.type === 'image' || block.type === 'image_url')
    return { type: 'image', image: data, ...(mediaType !== undefined && { mediaType }) };
  if (mediaType === undefined) return undefined;
  const filename = filenameIn(block);
  return { type: 'file', data, mediaType, ...(filename !== undefined && { filename }) };
}

/** The text of a plain document. */
function textIn(block: Fields): string | undefined {
  const isText = block.type === 'text-plain' || block.source_type === 'text';
  return isText && typeof block.text === 'string' ? block.text : undefined;
}

function dataIn(block: Fields): string | undefined {
  const { image_url: image, source } = block;
  const holder = isFields(source) ? source : block;
  const url = isFields(image) ? image.url : (image ?? holder.url);
  if (typeof url === 'string' && url !== '') return url;
  const data = withoutBytes(holder.data);
  return typeof data === 'string' && data !== '' ? data : undefined;
}

function mediaTypeIn(block: Fields): string | undefined {
  const { source } = block;
  const said = isFields(source) ? source.media_type : (block.mimeType ?? block.mime_type);
  return typeof said === 'string' ? said : undefined;
}

function filenameIn({ metadata }: Fields): string | undefined {
  return isFields(metadata) && typeof metadata.filename === 'string' ? metadata.filename : undefined;
}

/** The standard block for an image or file. */
export function mediaBlock(part: ImagePart | FilePart): Fields {
  const data = part.type === 'image' ? part.image : part.data;
  const { mediaType } = part;
  const filename = part.type === 'file' && part.filename !== undefined ? part.filename : undefined;
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(data);
  return {
    type: part.type,
    ...(isUrl
      ? { url: data, ...(mediaType !== undefined && { mimeType: mediaType }) }
      : { data, mimeType: mediaType ?? 'image/png' }),
    ...(filename !== undefined && { metadata: { filename } }),
  };
}
