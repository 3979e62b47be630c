const htmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML that shows it. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => htmlEntities[sign] ?? '');

/** JSON in which no text can close the script element or start another one. */
export const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
