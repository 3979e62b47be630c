/** The number of characters that are read one by one. */
export function workOf(run: () => void): number {
  const charCodeAt = String.prototype.charCodeAt;
  let work = 0;
  String.prototype.charCodeAt = function (at: number) {
    work++;
    return charCodeAt.call(this, at);
  };
  try {
    run();
  } finally {
    String.prototype.charCodeAt = charCodeAt;
  }
  return work;
}
