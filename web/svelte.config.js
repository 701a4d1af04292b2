// Svelte: the plain compiler; TypeScript in components needs no preprocessor.
export default {
  compilerOptions: {
    runes: true,
    discloseVersion: false,
    // Short class names for scoped styles: they stand at every element.
    cssHash: ({ hash, filename, css }) => `s${hash(filename || css).slice(0, 3)}`,
  },
};
