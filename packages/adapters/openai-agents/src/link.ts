import type { Fields } from '@ctx/core/codec';

/** Under this key a form that was made from something of the SDK's knows it. Copies that an edit makes keep it; JSON leaves it out. */
const made = Symbol('made from');

interface Link {
  readonly from: Fields;
  readonly form: object;
}

/** A form with a link to what it was made from. */
export function linked(from: Fields, fields: Fields): Fields {
  const form: Record<PropertyKey, unknown> = { ...fields };
  form[made] = { from, form } satisfies Link;
  return form as Fields;
}

/** What a form was made from, and whether it is still the form that was made; `undefined` for what core added. */
export function linkOf(form: Fields): { readonly from: Fields; readonly isSame: boolean } | undefined {
  const link = (form as Record<PropertyKey, unknown>)[made] as Link | undefined;
  return link === undefined ? undefined : { from: link.from, isSame: link.form === form };
}

/** The fields of a form without its link. */
export function withoutLink(form: Fields): Fields {
  return Object.fromEntries(Object.entries(form));
}
