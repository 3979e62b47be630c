/** Writes a changelog entry as the text of its changeset. Updates among our own packages are left out: they share one version. */
module.exports = {
  getReleaseLine: async ({ summary }) => `- ${summary.trim().split('\n').join('\n  ')}`,
  getDependencyReleaseLine: async () => '',
};
