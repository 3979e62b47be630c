import { expectListed } from './exported-functions.js';

test('every exported function takes its text in the table, or is listed with the reason why it needs not', () =>
  expectListed('without SDKs'));
