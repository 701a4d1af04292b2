// Svelte: the plain compiler; TypeScript in components needs no preprocessor.
export default { compilerOptions: { runes: true } };
