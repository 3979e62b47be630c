import { assistant, call, result, user } from '@ctx/testing';
import { createContextManager } from '../src/index.js';

test.each([
  'weiter',
  '继续',
  'Ja, genau so.',
  'mach bitte weiter',
  'Sí, por favor',
  'oui, vas-y',
  'D’accord, continuez',
  'sim, pode continuar',
  'да, продолжай',
  'はい、お願いします',
  '네, 계속해주세요',
  '好的，请继续',
  'evet, devam et',
  'हाँ, जारी रखें',
])('"%s" is agreement, and sets no task', async (nod) => {
  const task = user('write a parser');
  const question = assistant('Written. Shall I delete the old one?');
  const manager = createContextManager({ config: { minMessagesToKeep: 1 } });
  const work = [call('a', 'read'), result('a', 'code '.repeat(200))];
  for (const message of [task, ...work, question, user(nod), call('b', 'rm'), result('b', 'gone')])
    manager.append(message);
  await manager.compress({ strategy: 'oldest-removal', targetTokens: 0 });
  expect(manager.view()).toEqual(expect.arrayContaining([task, question]));
});
