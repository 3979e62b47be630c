/** From messages that may never leave the view (CRITICAL) to those that leave first (LOW). */
export const priorities = ['CRITICAL', 'HIGH', 'NORMAL', 'LOW'] as const;
export type Priority = (typeof priorities)[number];
