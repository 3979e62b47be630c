import type { Archive } from '@ctx/core';
import type { ContextFetchOptions } from '@ctx/fetch';
import { isLoopback } from './access.js';
import { invalid, type Upstream } from './upstreams.js';

export interface ProxyOptions
  extends Omit<ContextFetchOptions, 'dryRun' | 'store' | 'states' | 'archive' | 'hiddenTool' | 'send'> {
  /** Where requests go: one address for all, or one for each of `anthropic`, `openai`, `chatgpt` (Codex with a ChatGPT login), `google` and `ollama`. @default the providers' own addresses */
  readonly upstream?: Upstream | undefined;
  /**
   * Where `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are read, through which requests leave a company's network. `{}` for none.
   * @default `process.env`
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** 0 for any that is free. @default 8787 */
  readonly port?: number | undefined;
  /** The name or address to listen on. Where it is not loopback, a token is needed. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /**
   * What clients have to give: in the header `x-ctx-token`, or at the beginning of the path as `/ctx-token/TOKEN`, for those that take
   * nothing but a base URL. @default none
   */
  readonly token?: string | undefined;
  /** Where compressions are kept: `sqlite:FILE` or `postgres://…`. @default memory */
  readonly store?: string | undefined;
  /**
   * Offers the model a tool with which it reads removed messages, from the first request of a conversation on. The proxy answers its
   * calls; the agent sees nothing of them. @default false
   */
  readonly recall?: boolean | undefined;
  /**
   * Where texts are kept that were removed from the view: an archive, or the address of one, `sqlite:FILE` or `postgres://…`.
   * @default memory with `recall`, filled from each history; otherwise none
   */
  readonly archive?: Archive | string | undefined;
  /** Sends every request unchanged, and says what would have been saved. @default false */
  readonly dryRun?: boolean | undefined;
}

/** Not registered for another service. */
const usualPort = 8787;
/** Characters. Nobody guesses 16 random ones. */
const shortestToken = 16;

/** @throws ConfigError `config-invalid` for an address that others reach without a token, or a token that can be guessed */
export function listening({ port = usualPort, host = '127.0.0.1', token }: ProxyOptions) {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw invalid('port', port, 'This is not a port', 'Give a whole number from 0 to 65535.');
  if (typeof host !== 'string' || host === '')
    throw invalid(
      'host',
      host,
      'This is not an address to listen on',
      "Give a name or address, such as '127.0.0.1'.",
    );
  if (token !== undefined && (typeof token !== 'string' || token.length < shortestToken))
    throw invalid(
      'token',
      '…',
      'The token can be guessed',
      `Give at least ${shortestToken} random characters.`,
    );
  if (token === undefined && !isLoopback(host))
    throw invalid('host', host, 'Others could use the proxy', 'Set a token, or listen on 127.0.0.1.');
  return { port, host, token };
}
