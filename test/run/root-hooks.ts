/** Hooks of every test file: a rejection that nobody handles fails the test that it falls into. */
function rethrow(reason: unknown): never {
  throw reason;
}

export const mochaHooks: Mocha.RootHookObject = {
  beforeAll() {
    // Mocha's workers take all listeners away after each file.
    if (!process.listeners('unhandledRejection').includes(rethrow)) {
      process.on('unhandledRejection', rethrow);
    }
  },
};
