/** The options of a strategy as a table, from the schema that checks them. */
export function optionsTable(strategy, schema) {
  const rows = rowsOf(schema.toJSONSchema({ io: 'input', unrepresentable: 'any' }), '');
  const silent = rows.filter(({ description }) => description === undefined);
  if (silent.length > 0)
    throw new Error(
      `Options of "${strategy}" without .describe: ${silent.map(({ name }) => name).join(', ')}`,
    );
  if (rows.length === 0) return 'It has no options.';
  const lines = rows.map(({ name, value, description }) =>
    `| ${[`\`${name}\``, value, description].join(' | ')} |`.replace('|  |', '| |'),
  );
  return ['| option | default | |', '|---|---|---|', ...lines].join('\n');
}

/** An option that is an object of options has a row of its own, and one for each of them. */
function rowsOf({ properties = {} }, prefix) {
  return Object.entries(properties).flatMap(([key, option]) => {
    const name = `${prefix}${key}`;
    const inner = (option.anyOf ?? [option]).find(({ properties }) => properties !== undefined);
    const described = Object.values(inner?.properties ?? {}).some(({ description }) => description);
    const row = { name, value: defaultOf(option), description: descriptionOf(option) };
    return [row, ...(described ? rowsOf(inner, `${name}.`) : [])];
  });
}

function descriptionOf({ description, enum: values }) {
  if (description === undefined) return undefined;
  const said = (values ?? []).map((one) => `\`${one}\``);
  const list = said.every((one) => description.includes(one)) ? '' : `: ${said.join(', ')}`;
  return `${description}${list}`.replaceAll('|', '\\|');
}

function defaultOf({ default: value, anyOf = [] }) {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(Math.round(value * 100) / 100);
  if (Array.isArray(value)) return value.map((one) => `\`${one}\``).join(', ');
  if (typeof value !== 'object') return `\`${value}\``;
  return anyOf.some((one) => one.const === false) ? 'on' : '';
}
