/**
 * The part of the metadata proposal that tsyringe and the decorators of TypeScript need, if the host has loaded no other. It keeps what
 * is known of a class, or of its members, by key. A full polyfill that is loaded later finds these functions and goes on with them.
 */
type Key = string | symbol | undefined;
type Metadata = Map<unknown, unknown>;
type Owner = object | null;

const known = new WeakMap<object, Map<Key, Metadata>>();

function own(target: object, member: Key): Metadata {
  const members = known.get(target) ?? new Map<Key, Metadata>();
  known.set(target, members);
  const metadata = members.get(member) ?? new Map<unknown, unknown>();
  members.set(member, metadata);
  return metadata;
}

/** The nearest class, up its line of parents, that has the key. */
function holder(key: unknown, target: object, member: Key): Metadata | undefined {
  for (let at: Owner = target; at !== null; at = Object.getPrototypeOf(at) as Owner)
    if (known.get(at)?.get(member)?.has(key)) return own(at, member);
  return undefined;
}

const functions = {
  defineMetadata: (key: unknown, value: unknown, target: object, member?: Key) =>
    void own(target, member).set(key, value),
  deleteMetadata: (key: unknown, target: object, member?: Key) => own(target, member).delete(key),
  getMetadata: (key: unknown, target: object, member?: Key) => holder(key, target, member)?.get(key),
  getOwnMetadata: (key: unknown, target: object, member?: Key) => known.get(target)?.get(member)?.get(key),
  getOwnMetadataKeys: (target: object, member?: Key) => [...(known.get(target)?.get(member)?.keys() ?? [])],
  hasMetadata: (key: unknown, target: object, member?: Key) => holder(key, target, member) !== undefined,
  hasOwnMetadata: (key: unknown, target: object, member?: Key) =>
    known.get(target)?.get(member)?.has(key) === true,
  metadata: (key: unknown, value: unknown) => (target: object, member?: Key) =>
    void own(target, member).set(key, value),
};

if (!('getMetadata' in Reflect))
  for (const [name, value] of Object.entries(functions))
    Object.defineProperty(Reflect, name, { value, configurable: true, writable: true });
