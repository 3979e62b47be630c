/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { SessionReport } from '../session-data.js';
import { mountDebugger } from './session/debugger.js';
import { packedSource } from './session/session-source.js';

const json = document.getElementById('report-data')?.textContent ?? 'null';
const session: SessionReport | null = JSON.parse(json);
const root = document.querySelector<HTMLElement>('[data-mount="steps"]');
if (root !== null && session !== null) void mountDebugger(root, packedSource(session));
