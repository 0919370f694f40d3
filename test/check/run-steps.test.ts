import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { runSteps } from './run-steps.ts';
import type { Step } from './steps.ts';

function aStep(name: string, isOk: boolean): Step {
  return {
    name,
    run: () => Promise.resolve({ isOk, output: `${name} says` }),
    whatToDo: `Mend ${name}.`,
  };
}

async function runOf(...steps: readonly Step[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const print = (line: string): void => {
    lines.push(stripVTControlCharacters(line));
  };
  let nowMs = 0;
  const code = await runSteps(steps, { root: '.', print, nowMs: () => (nowMs += 750) });
  return { code, lines };
}

describe('the steps of npm run check', () => {
  it('print a line each, with their duration, when all pass', async () => {
    const { code, lines } = await runOf(aStep('types', true), aStep('lint', true));
    assert.deepEqual(lines, ['✔ types      0.8 s', '✔ lint       0.8 s']);
    assert.equal(code, 0);
  });

  it('all run even if one fails, which prints what it found and what to do', async () => {
    const { code, lines } = await runOf(aStep('types', false), aStep('lint', true));
    assert.deepEqual(lines, [
      '✘ types      0.8 s',
      '\ntypes says\n\ntypes: Mend types.\n',
      '✔ lint       0.8 s',
      'Failed: types',
    ]);
    assert.equal(code, 1);
  });

  it('fail when they throw, and the others still run', async () => {
    const broken = {
      ...aStep('types', true),
      run: () => Promise.reject(new Error('no such disk')),
    };
    const { code, lines } = await runOf(broken, aStep('lint', true));
    assert.match(lines.join('\n'), /✘ types[^]*no such disk[^]*✔ lint[^]*Failed: types/);
    assert.equal(code, 1);
  });
});
