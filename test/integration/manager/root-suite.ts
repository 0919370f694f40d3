/** The suite that all others of a mocha process are in: its hooks come before and after everything. */
export function rootOf(context: Mocha.Context): Mocha.Suite {
  let suite = context.runnable().parent;
  while (suite?.parent !== undefined) suite = suite.parent;
  if (suite === undefined) throw new Error('Only a hook or a test is in a suite');
  return suite;
}
