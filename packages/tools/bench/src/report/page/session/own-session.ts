import type { ReplayAsked, ReplayTold } from '../../replay-worker/messages.js';
import { element } from '../element.js';
import { formatWhole } from '../number-format.js';
import { mountComparison } from './compare.js';
import { mountDebugger } from './debugger.js';
import { readySource, unpackText } from './session-source.js';

/** Takes a session file that the reader drags into the page or chooses, and replays it in a worker of the page. */
export function mountOwnSession(root: HTMLElement): void {
  const input = element('input', { type: 'file', id: 'own-file', accept: '.json,.jsonl' });
  const window_ = element('input', {
    type: 'number',
    id: 'own-limit',
    min: 1000,
    step: 1000,
    placeholder: 'half of it',
  });
  const status = element('p', { class: 'note', role: 'status' });
  const bar = element('progress', { max: 1, value: 0, 'aria-label': 'Replayed' });
  const result = element('div');
  const zone = element(
    'div',
    { class: 'card drop' },
    element(
      'div',
      { class: 'controls' },
      field('Session file', input),
      field('Largest request, tokens', window_),
    ),
    element(
      'p',
      { class: 'note' },
      'Claude Code, Codex, pi, OpenCode, Gemini CLI, Copilot CLI, Cline, Roo Code, Continue, Qwen Code, or messages as the OpenAI or Anthropic API takes them.',
    ),
    bar,
    status,
  );
  bar.hidden = true;
  let worker: Worker | undefined;

  async function load(file: File): Promise<void> {
    worker?.terminate();
    bar.hidden = false;
    bar.removeAttribute('value');
    status.textContent = `Reading ${file.name} …`;
    const [script, text] = await Promise.all([unpackText('replay-script'), file.text()]);
    const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const own = new Worker(address);
    worker = own;
    own.addEventListener('message', ({ data }: MessageEvent<ReplayTold>) => {
      if (worker === own) told(data, file.name);
      if (data.kind !== 'progress') {
        own.terminate();
        URL.revokeObjectURL(address);
      }
    });
    own.addEventListener('error', ({ message }) => told({ kind: 'failed', reason: message }, file.name));
    const limit = Number(window_.value);
    const asked: ReplayAsked = {
      name: file.name,
      text,
      createdAt: new Date().toISOString(),
      ...(limit > 0 && { limit }),
    };
    own.postMessage(asked);
  }

  function told(data: ReplayTold, name: string): void {
    if (data.kind === 'progress') {
      bar.value = data.done;
      status.textContent = `Replaying with ${data.what}: ${Math.floor(data.done * 100)} %`;
      return;
    }
    bar.hidden = true;
    if (data.kind === 'failed') {
      status.textContent = `${name} could not be used. ${data.reason}`;
      return;
    }
    const { parts, conversations, conversation, skipped } = data;
    const { report } = parts;
    const facts = [
      `${name}: ${formatWhole(report.messages)} messages, ${formatWhole(report.tokens)} tokens, requests of at most ${formatWhole(report.limit)}.`,
      ...(conversations.length > 1
        ? [`The longest of ${conversations.length} conversations, number ${conversation + 1}.`]
        : []),
      ...(skipped > 0 ? [`${skipped} records could not be read.`] : []),
    ];
    status.textContent = facts.join(' ');
    result.replaceChildren();
    if (report.candidates.length === 0) {
      status.textContent += ' It always fits, so there is nothing to replay; give a smaller largest request.';
      return;
    }
    const title = element('h3', { tabindex: -1, class: 'own-title' }, report.session);
    result.append(title);
    void mountDebugger(result, readySource(parts));
    mountComparison(result, report, 'Your session, with each candidate');
    title.focus();
  }

  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) void load(file);
  });
  const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  document.addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    zone.dataset.over = '';
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) delete zone.dataset.over;
  });
  document.addEventListener('drop', (event) => {
    delete zone.dataset.over;
    const [file] = event.dataTransfer?.files ?? [];
    if (file === undefined) return;
    event.preventDefault();
    zone.scrollIntoView();
    void load(file);
  });
  root.append(zone, result);
}

function field(name: string, input: HTMLElement): HTMLElement {
  return element('div', { class: 'field' }, element('label', { for: input.id }, name), input);
}
