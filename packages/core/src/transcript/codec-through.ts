import { isFields } from '../base/native.js';
import { type Codec, type DecodeContext, type NativeLoss, ofMessages } from './codec.js';
import { itemsOf, type Message, type Part, partsOf } from './message.js';

/** A provider's form that says in other words what another one says. */
interface OtherWords<Outer, Inner> {
  readonly name: string;
  /** The codec of the other form. */
  readonly codec: Codec<Inner>;
  /**
   * The same conversation in the other form.
   * @throws ValidationError `native-invalid` with the place that is not understood
   */
  read(conversation: Outer, context: DecodeContext): Inner;
  /** The reverse. A message that `read` made comes back as the very one that it was made from. */
  write(conversation: Inner): Outer;
  /** Whether this form has a place for a part, or an item of a result, that the other form has one for. */
  says(part: Part): boolean;
}

/** A codec that reads a form as another one, and writes the other one as it. It keeps the other codec's rules. */
export function codecThrough<Outer, Inner>(form: OtherWords<Outer, Inner>): Codec<Outer> {
  const { name, codec, says } = form;
  /** As the other codec has to see messages: those of this form as its own, and its own as another's. */
  const toOther = (messages: readonly Message[]) =>
    messages.map((message) => {
      const { native } = message;
      if (isFields(native) && native.codec === name) return withCodec(message, codec.name);
      const foreign =
        isFields(native) && native.codec === codec.name
          ? withCodec(message, `${codec.name} itself`)
          : message;
      return withoutUnsaid(foreign, says);
    });
  return {
    name,
    toMessages: (conversation, context = {}) =>
      codec.toMessages(form.read(conversation, context), context).map((message) => withCodec(message, name)),
    fromMessages: (messages) => ofMessages(messages, () => form.write(codec.fromMessages(toOther(messages)))),
    validate: (conversation) => codec.validate(form.read(conversation, {})),
    losses: (messages) =>
      ofMessages(messages, () =>
        codec.losses(toOther(messages)).map((loss) => ({ ...loss, what: whatOf(loss, messages) })),
      ),
  };
}

function withCodec(message: Message, codec: string): Message {
  return { ...message, native: { ...(message.native as object), codec } };
}

const unsaid = { type: 'opaque', value: null } as const;

/** A part without a place becomes one that no codec has a place for, so that the others keep theirs. */
function withoutUnsaid(message: Message, says: (part: Part) => boolean): Message {
  if (typeof message.content === 'string') return message;
  const content = message.content.map((part) => {
    if (!says(part)) return unsaid;
    if (part.type !== 'tool-result' || typeof part.output === 'string' || part.output.type !== 'content')
      return part;
    const value = part.output.value.map((item) => (says(item) ? item : unsaid));
    return { ...part, output: { ...part.output, value } };
  });
  return { ...message, content } as Message;
}

/** What was lost, as the message itself calls it. */
function whatOf({ index, place, what }: NativeLoss, messages: readonly Message[]): string {
  const [, at, item] = /^content\[(\d+)\](?:\.output\.value\[(\d+)\])?$/.exec(place) ?? [];
  const part = partsOf(messages[index] as Message)[Number(at)];
  if (item === undefined) return part?.type ?? what;
  return (part && itemsOf(part)[Number(item)]?.type) ?? what;
}
