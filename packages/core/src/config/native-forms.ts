import { ValidationError } from '../base/errors.js';
import { type Fields, isFields } from '../base/native.js';

/** A form of messages that is not core's own, such as a provider's. */
export interface NativeForm {
  /** Whose form it is, for a sentence: "a message of NAME". */
  readonly name: string;
  /** True for a message in this form that core would misread or refuse. It has neither been checked nor decoded. */
  is(message: Fields): boolean;
  /** What to do with such a message, as a sentence. */
  readonly remedy: string;
}

/** @throws ValidationError `message-invalid` for a message in a form that is not core's own */
export function refuseNativeForm(forms: readonly NativeForm[], value: unknown, index: number): void {
  if (!isFields(value) || value.native !== undefined) return;
  const form = forms.find((one) => one.is(value));
  if (form === undefined) return;
  throw new ValidationError({
    code: 'message-invalid',
    problem: `This message has the form of ${form.name}, not that of core`,
    place: `messages[${index}]`,
    value: Object.keys(value),
    remedy: form.remedy,
  });
}
