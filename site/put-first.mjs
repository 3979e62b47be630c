/** Groups in the order of a page: what people call and make comes before what it is given and returns. */
const kinds = ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases'];

const placeIn = (list, one) => (list.includes(one) ? list.indexOf(one) : list.length);

/**
 * The groups of a page of the reference, so that it begins with what people call.
 * @param groups each with its title and children, of TypeDoc
 * @param names what the README's snippets import, the most important first
 */
export function putFirst(groups, names) {
  for (const group of groups)
    group.children = group.children.toSorted(
      (one, other) => placeIn(names, one.name) - placeIn(names, other.name),
    );
  const leads = ({ children }) => (children.some(({ name }) => name === names[0]) ? 0 : 1);
  return groups.toSorted(
    (one, other) => leads(one) - leads(other) || placeIn(kinds, one.title) - placeIn(kinds, other.title),
  );
}
