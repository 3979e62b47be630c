/** Zod as core uses it. The Node builds of our own packages share it, so that it is loaded once and from one file. */
export * from 'zod';
