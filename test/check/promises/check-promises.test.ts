import assert from 'node:assert/strict';
import { checkPromises, promisesPage } from './check-promises.ts';

/** Put together here, so that the check of this repository does not take them for citations. */
const [first, second, planted] = [1, 2, 9].map((number) => `Q${number}`);

const page = `# Promises

See also ${first}.

## ${first} Safe

Text.

- Enforced by [plan.ts](../../packages/core/src/plan.ts): \`assertSafe\`.
- Tested by [plan.test.ts](../../packages/core/src/plan.test.ts): "is safe to
  stop anywhere".

## ${second} Quiet

- Enforced by [plan.ts](../../packages/core/src/plan.ts).
- Tested by [plan.test.ts](../../packages/core/src/plan.test.ts).
`;

const house: Readonly<Record<string, string>> = {
  [promisesPage]: page,
  'packages/core/src/plan.ts': `/** Keeps ${first} to ${second}. */\nfunction assertSafe() {}\n`,
  'packages/core/src/plan.test.ts': `it('is safe to stop anywhere (${first})', f);\n`,
};

/** `path:line found`, of the house with these files in it. */
function complaints(files: Readonly<Record<string, string>>): string[] {
  const all = Object.entries({ ...house, ...files }).map(([path, text]) => ({ path, text }));
  return checkPromises(all).map(({ path, line, found }) => `${path}:${line} ${found}`);
}

describe('the check of the promises', () => {
  it('accepts rules that are defined, cited, enforced and tested', () => {
    assert.deepEqual(complaints({}), []);
  });

  for (const [path, text] of Object.entries({
    'packages/core/src/a.ts': `\n/** Keeps the order (${planted}). */`,
    'packages/core/src/a.test.ts': `\nit('keeps the order (${planted})', f);`,
    'test/simulation/oracle/a.ts': `\naccuse('${planted}', name);`,
    'docs/guides/a.md': `\nThat is ${first}–${planted}.`,
    [promisesPage]: `\n${planted} is much like it.\n${page}`,
  })) {
    it(`refuses a citation of an undefined rule in ${path}`, () => {
      const found = `${planted} is cited, and no such rule is defined.`;
      assert.ok(complaints({ [path]: text }).includes(`${path}:2 ${found}`));
    });
  }

  it('does not mistake addresses, escapes, versions and the engine for rules', () => {
    const text = `// IPv6, FD00::A1, A1:B2::1, %E0%A4, x-${planted}x, V8, C1 controls, go1.26, ${planted}a`;
    assert.deepEqual(complaints({ 'packages/core/src/a.ts': text }), []);
  });

  it('refuses a rule that nothing cites', () => {
    const text = `${page}\n## ${planted} New\n\n- Enforced by [a](../../packages/core/src/plan.ts).\n- Tested by [a](../../packages/core/src/plan.ts).\n`;
    const found = `${promisesPage}:18 ${planted} is defined, and nothing cites it.`;
    assert.deepEqual(complaints({ [promisesPage]: text }), [found]);
  });

  it('refuses a rule without what enforces or tests it', () => {
    const text = page.replace(/- Tested by [^#]*"\.\n/, '');
    const found = `${promisesPage}:5 ${first} does not say what it is "Tested by".`;
    assert.deepEqual(complaints({ [promisesPage]: text }), [found]);
  });

  it('refuses a file that does not exist, and a name or claim that is not in its file', () => {
    const text = page
      .replace('src/plan.ts): `assertSafe`', 'src/plans.ts)')
      .replace('stop anywhere', 'stop everywhere');
    assert.deepEqual(complaints({ [promisesPage]: text }), [
      `${promisesPage}:9 There is no file packages/core/src/plans.ts.`,
      `${promisesPage}:10 packages/core/src/plan.test.ts has no "is safe to stop everywhere".`,
    ]);
  });
});
