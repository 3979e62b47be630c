import type { Register } from 'claude-code'
import { compact } from './ctx.js'

export const register: Register = (on, options) => {
  on('session.compact', async ($, e, next) => {
    const usage = await $.session.usage({ breakdown: 'summary' })
    const info = await $.session.info()
    await $.fs.write(`/tmp/mod-dump-${Date.now()}.json`, JSON.stringify({ usage, info, trigger: e.trigger, agentId: e.agentId, instructions: e.instructions, keys: Object.keys(e), messages: e.messages, budget: (next as any).budget }))
    const { rows, report } = await compact(e.messages as never, { usage: undefined, isAutomatic: e.trigger !== 'manual', now: await $.clock.now(), pause: () => $.clock.now(), focus: e.instructions })
    $.ui.log(`ctx: ${JSON.stringify(report)}`)
    return rows ? { messages: rows as never } : next(e)
  })
}
