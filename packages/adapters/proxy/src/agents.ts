/** How an agent is told where to send its requests. */
export interface AgentStart {
  /** The agent's command with what it needs to know. */
  readonly command: readonly string[];
  /** Added to the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that agents and SDKs read a base URL from, and the path that each wants at its end. */
const variables: Readonly<
  Record<string, { readonly api: 'anthropic' | 'openai' | 'google'; readonly end: string }>
> = {
  ANTHROPIC_BASE_URL: { api: 'anthropic', end: '' },
  OPENAI_BASE_URL: { api: 'openai', end: '/v1' },
  OPENAI_API_BASE: { api: 'openai', end: '/v1' },
  GOOGLE_GEMINI_BASE_URL: { api: 'google', end: '' },
};

/** The command and environment with which an agent sends its requests to the proxy. */
export function agentStart(
  command: readonly string[],
  base: string,
  environment: Environment = {},
): AgentStart {
  const [program = '', ...args] = command;
  const name = (program.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|js|mjs)$/, '');
  const urls = {
    ...Object.fromEntries(Object.entries(variables).map(([key, { end }]) => [key, `${base}${end}`])),
    ...directIn(environment),
  };
  switch (name) {
    case 'codex':
      return { command: [program, '-c', `openai_base_url="${base}/v1"`, ...args], environment: urls };
    case 'copilot': {
      const end = environment.COPILOT_PROVIDER_TYPE === 'anthropic' ? '' : '/v1';
      return { command, environment: { ...urls, COPILOT_PROVIDER_BASE_URL: `${base}${end}` } };
    }
    case 'opencode':
      return { command, environment: { ...urls, OPENCODE_CONFIG_CONTENT: providersAt(base) } };
    case 'kilo':
    case 'kilocode':
      return { command, environment: { ...urls, KILO_CONFIG_CONTENT: providersAt(base) } };
    default:
      return { command, environment: urls };
  }
}

/** An agent that goes through an HTTP proxy finds this machine without it. */
function directIn(environment: Environment): Record<string, string> {
  const hasProxy = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'].some((name) => environment[name]);
  if (!hasProxy) return {};
  const before = environment.no_proxy || environment.NO_PROXY;
  const all = [...(before ? [before] : []), '127.0.0.1', 'localhost'].join(',');
  return { NO_PROXY: all, no_proxy: all };
}

/** The providers of OpenCode and its kin, with another base URL. */
function providersAt(base: string): string {
  const at = (baseURL: string) => ({ options: { baseURL } });
  return JSON.stringify({
    provider: { anthropic: at(`${base}/v1`), openai: at(`${base}/v1`), google: at(`${base}/v1beta`) },
  });
}

/** Where the agent would send its requests without the proxy, as far as its environment says it. */
export function upstreamIn(
  environment: Environment,
): Readonly<Partial<Record<'anthropic' | 'openai' | 'google', string>>> {
  const found = Object.entries(variables).flatMap(([key, { api, end }]) => {
    const url = environment[key];
    if (!url) return [];
    const plain = url.replace(/\/$/, '');
    return [[api, end !== '' && plain.endsWith(end) ? plain.slice(0, -end.length) : plain] as const];
  });
  return Object.fromEntries(found.reverse());
}
