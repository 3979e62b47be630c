import type { ReportData } from './report-data.js';

/** What a page's script finds in the page. */
export interface PageData {
  readonly report?: ReportData;
}
