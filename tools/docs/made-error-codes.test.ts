import assert from 'node:assert/strict';
import { findMadeCodes } from './made-error-codes.ts';

const classes = `
  export type LateCode = 'TooLate' | 'MuchTooLate';
  export class LateError extends CcmError {
    constructor(code: LateCode, message: string) {
      super(message, { code, retry: 'never', effect: 'none' });
    }
  }
  export class LostError extends CcmError {
    constructor(message: string) {
      super(message, { code: 'Lost', retry: 'never', effect: 'none' });
    }
  }
  export class PassedError extends CcmError {}
`;
const ofClasses = ['Lost', 'MuchTooLate', 'TooLate'];

function find(text: string): { codes: string[]; untraced: readonly string[] } {
  const { codes, untraced } = findMadeCodes([
    { path: 'classes.ts', text: classes },
    { path: 'a.ts', text },
  ]);
  return { codes: [...codes].filter((code) => !ofClasses.includes(code)).toSorted(), untraced };
}

describe('the codes of errors that sources make', () => {
  const found: { name: string; text: string; want: string[] }[] = [
    {
      name: 'in the facts',
      text: "throw new CcmError('m', { code: 'A', retry: 'never', effect: 'none' });",
      want: ['A'],
    },
    {
      name: 'in a variable',
      text: "const code = 'A'; throw new CcmError('m', { code, retry: 'never', effect: 'none' });",
      want: ['A'],
    },
    {
      name: 'in facts that are a variable',
      text: "const facts = { code: 'A', retry: 'never' } as const; throw new PassedError('m', facts);",
      want: ['A'],
    },
    {
      name: 'of which there are two',
      text: "throw new PassedError('m', { code: isIt ? 'A' : 'B', retry, effect });",
      want: ['A', 'B'],
    },
    { name: 'given by its class', text: "throw new LostError('m');", want: [] },
    { name: 'as an argument', text: "throw new LateError('TooLate', 'm');", want: [] },
    {
      name: 'of a type of codes',
      text: 'const late = (code: LateCode) => new LateError(code, message);',
      want: [],
    },
    {
      name: 'of another error',
      text: "const { code } = err; throw new PassedError('m', { ...facts, code });",
      want: [],
    },
  ];
  for (const { name, text, want } of found) {
    it(`are found ${name}`, () => assert.deepEqual(find(text), { codes: want, untraced: [] }));
  }

  it('are those of the types of codes and of the classes, too', () => {
    const { codes } = findMadeCodes([{ path: 'classes.ts', text: classes }]);
    assert.deepEqual([...codes].toSorted(), ofClasses);
  });

  const hidden: { name: string; text: string }[] = [
    {
      name: 'comes from a parameter that may be anything',
      text: "const make = (code: string) => new CcmError('m', { code, retry, effect });",
    },
    {
      name: 'is put together',
      text: "throw new CcmError('m', { code: 'A' + b, retry, effect });",
    },
    { name: 'is nowhere to be seen', text: "throw new PassedError('m', made());" },
  ];
  for (const { name, text } of hidden) {
    it(`are missed, and that is said, where one ${name}`, () => {
      assert.equal(find(text).untraced.length, 1);
    });
  }
});
