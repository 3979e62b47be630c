import { main } from '../register-strategies.js';

test('the first rule that matches chooses, and a wrong name is explained', () => {
  jest.spyOn(console, 'log').mockImplementation();
  const { chosen, errors } = main();

  const pipelines = Object.fromEntries(chosen.map(({ name, pipeline }) => [name, pipeline.join(' + ')]));
  expect(pipelines).toEqual({
    'openai o1-mini': 'middle-removal',
    'openai/o1': 'middle-removal',
    'anthropic claude-sonnet-4-5': 'oldest-removal + middle-removal',
    'openrouter anthropic/claude-haiku-4-5': 'oldest-removal + middle-removal',
    'openai gpt-5': 'hybrid',
    'ollama llama3': 'hybrid',
  });
  for (const { maxTokens, targetTokens } of chosen) expect(targetTokens).toBe(maxTokens / 2);
  expect(errors).toEqual([
    expect.stringContaining('Did you mean "middle-removal"?'),
    expect.stringContaining('preserveStart'),
    expect.stringContaining('The target must be below the trigger'),
    expect.stringContaining('Did you mean "trigger"?'),
  ]);
});
