import { AgentStory, type Branch } from './agent-story.js';
import type { Random } from './random.js';
import type { AskedRequest } from './request-laws.js';
import type { RequestSetup } from './request-setup.js';
import { written } from './written-json.js';

/** Branches that are alive at once. */
const mostBranches = 4;
/** The share of the fixed tokens that tools take; the system prompt has the rest. */
const shareOfTools = 0.7;

/** Agents with conversations of their own, some of which go on from one beginning. */
export interface Agents {
  /** What they ask next, at once: each conversation, some of them more than once. */
  round(): readonly AskedRequest[];
}

export function agentsOf(random: Random, setup: RequestSetup): Agents {
  const { form, window, reserve, fixedTokens, hand } = setup;
  const story = new AgentStory(random, form, window, hand);
  const toolTokens = Math.floor(fixedTokens * shareOfTools);
  const tools = story.tools(toolTokens);
  const systemTokens = fixedTokens - toolTokens;
  const system = story.systemText(systemTokens);
  let branches: Branch[] = random.list(setup.roots, (at) => story.begun(`c${at}`, systemTokens));
  let forks = 0;
  const bodyOf = ({ said }: Branch) => {
    const fields = form === 'chat' ? { tools } : { max_tokens: 1_000, tools, system };
    const rest = written({ model: form === 'chat' ? 'gpt-5' : 'claude-sonnet-4-5', ...fields }, hand).slice(
      1,
    );
    return `{"messages":${hand.space}[${said.map(({ raw }) => raw).join(`,${hand.space}`)}],${rest}`;
  };
  return {
    round() {
      branches = branches.map((branch) => story.goesOn(branch));
      if (branches.length < mostBranches && random.chance(0.4)) {
        const from = random.pick(branches);
        branches.push(story.forked(from, `${from.tag.replace(/f\d+$/, '')}f${forks++}`));
      }
      return branches.flatMap((branch): AskedRequest[] => {
        const asked = { form, branch, body: bodyOf(branch), window, reserve };
        return random.list(random.chance(0.5) ? 1 : 2, () => asked);
      });
    },
  };
}
