import type { ReportData } from './report-data.js';
import type { SessionReport } from './session-data.js';

/** What a page's script finds in the page. */
export interface PageData {
  readonly report?: ReportData;
  readonly session?: SessionReport;
}
