import assert from 'node:assert/strict';
import { withConstantKeys } from './constant-keys.ts';

describe('keys that are constants', () => {
  const cases = [
    {
      name: 'are spelt out',
      source: 'const _a = "x-y";\nexport var A$ = [{ [_a]: _a }];',
      want: 'const _a = "x-y";\nexport var A$ = [{ "x-y": _a }];',
    },
    {
      name: 'stay where they are no constant texts',
      source: 'const a = 1;\nlet b = "c";\nvar x = { [a]: 1, [b]: 2, [c]: 3, [d()]: 4 };',
      want: 'const a = 1;\nlet b = "c";\nvar x = { [a]: 1, [b]: 2, [c]: 3, [d()]: 4 };',
    },
    {
      name: 'stay where the constant is one of a function',
      source: 'function f() {\n    const a = "b";\n    return { [a]: 1 };\n}',
      want: 'function f() {\n    const a = "b";\n    return { [a]: 1 };\n}',
    },
  ];
  for (const { name, source, want } of cases) {
    it(name, () => assert.equal(withConstantKeys(source), want));
  }
});
