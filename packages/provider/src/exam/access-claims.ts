/**
 * Claims about `checkAccess`, for providers that have it: it confirms the access only after the
 * cloud has done so, and otherwise gives an error that a person can act on.
 */
import assert from 'node:assert/strict';
import type { Claim } from './claim.ts';
import type { Lab } from './lab.ts';

export const accessClaims: readonly Claim[] = [
  {
    name: 'with checkAccess: confirms its access every time',
    async check(lab) {
      for (let times = 0; times < 2; times++) await checkAccess(lab);
    },
  },
  {
    name: 'with checkAccess: never confirms its access while the cloud is unreachable',
    async check(lab) {
      if (lab.provider.checkAccess === undefined) return;
      const repair = await lab.breakCloud();
      await rejection(lab, 'checkAccess resolved although the cloud was unreachable');
      await repair();
      await checkAccess(lab);
    },
  },
  {
    name: 'with checkAccess: explains that the cloud refuses the credentials, and recovers',
    async check(lab) {
      if (lab.provider.checkAccess === undefined) return;
      assert(
        lab.revokeAccess !== undefined,
        'the lab has no revokeAccess, although the provider has checkAccess',
      );
      const giveBack = await lab.revokeAccess();
      const err = await rejection(
        lab,
        'checkAccess resolved although the cloud refused the credentials',
      );
      assert.notEqual(err.message, '', 'the error has no message');
      assert.equal(
        Reflect.get(err, 'retry'),
        'never',
        'the error of refused credentials must have retry: never',
      );
      const code: unknown = Reflect.get(err, 'code');
      assert(typeof code === 'string' && code !== '', `the error has no code: ${err.message}`);
      await giveBack();
      await checkAccess(lab);
    },
  },
  {
    name: 'with checkAccess: stops when its signal aborts, without confirming its access',
    async check(lab) {
      if (lab.provider.checkAccess === undefined) return;
      const controller = new AbortController();
      controller.abort(new Error('the exam is over'));
      await rejection(
        lab,
        'checkAccess resolved although its signal was aborted',
        controller.signal,
      );
    },
  },
];

async function checkAccess(lab: Lab, signal = new AbortController().signal): Promise<void> {
  await lab.waitFor(Promise.resolve(lab.provider.checkAccess?.({ signal })));
}

async function rejection(lab: Lab, otherwise: string, signal?: AbortSignal): Promise<Error> {
  try {
    await checkAccess(lab, signal);
  } catch (err) {
    assert(err instanceof Error, 'the provider rejected with a value that is not an Error');
    return err;
  }
  return assert.fail(otherwise);
}
