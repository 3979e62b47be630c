/** What the words of the pages mean, each in a sentence or two. */
export const terms = {
  candidate:
    'A way to make a conversation smaller: a strategy of ctx, a method of another library, or a simple method to compare with. A “control” is useless on purpose, and a “bound” knows the future; neither gets a star.',
  'still there':
    'Of the names, paths and numbers that the agent used in its next 40 messages and could only know from before, the share that is left, with 24 characters on either side. It counts as 0 if the result is too large or a provider would refuse it.',
  'whole line': 'Like “still there”, but the whole line must be left in which the name or number was said.',
  passage: 'Like “whole line”, but the line before it and the line after it must be left too.',
  'source known':
    'Like “still there”, but a reader must also be able to see who said it, or which call returned it.',
  'long ago':
    'Of what was last said before the newest 30 % of the conversation, the share that is left. The newest messages stay under every method, so this tells methods apart.',
  'user’s words': 'The share of the user’s messages that is left word for word.',
  fits: 'The share of results that are not larger than asked for.',
  valid: 'The share of results that OpenAI and Anthropic would accept as they are.',
  ms: 'The time of one compression in milliseconds, without counting tokens.',
  'compressed to': 'The size that was asked for, as a share of the tokens before.',
  cut: 'A place in a session: everything before it is compressed, and what the agent used after it is looked for in the result.',
  '± error':
    'The standard error of a mean: other sessions of the same kind would give about this much more or less. One session has none.',
  missing:
    'Of the names, paths and numbers that the agent used and had seen before, the share that was not in the request at that moment. Less is better.',
  'passage missing': 'Like “missing”, but it also counts as missing if the lines around it are gone.',
  cost: 'The price of all input with prompt caching: what a request shares with the start of the one before costs a tenth, the rest 1.25. 1 is what it costs to send everything.',
  rewrites:
    'Requests that do not begin with all of the request before. Each makes the provider read the conversation anew, so fewer are better.',
  'too large': 'Requests that are larger than the limit: a provider would refuse them.',
  invalid:
    'Requests that Anthropic would refuse for their form, such as a result without its call. None is best.',
  requests: 'How often the agent asked the model: once for each message of the assistant.',
  limit: 'The largest request that is allowed, in tokens: the model’s window in this replay.',
  largest: 'Tokens of the largest request.',
  tokens:
    'The pieces of text that models read and providers charge for; about four characters of English each.',
  kept: 'The message is as it was.',
  cleared: 'A short note stands in place of its text.',
  truncated: 'A part of its text is cut out.',
  folded: 'Of a file’s text, the names of its functions and types are left.',
  summarised: 'The message is gone; a summary speaks of it.',
  excerpted: 'The message is gone; some of its lines are quoted in an excerpt.',
  dropped: 'The message is gone.',
  added: 'A message that was not there before: a summary, an excerpt or a note that something was left out.',
  request: 'One question to the model, with everything that it is sent.',
  step: 'One request of the agent: the model reads the messages, and the assistant’s next message is its answer.',
} as const;

export type TermName = keyof typeof terms;
