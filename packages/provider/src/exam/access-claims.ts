/**
 * Claims about `checkAccess`, for providers that have it: it says that we are let in only when the cloud
 * has said so, and a person can act on what it says otherwise.
 */
import assert from 'node:assert/strict';
import type { Claim } from './claim.ts';
import type { Lab } from './lab.ts';

export const accessClaims: readonly Claim[] = [
  {
    name: 'where it checks its access, finds that the cloud lets it in, as often as it is asked',
    async check(lab) {
      for (let times = 0; times < 2; times++) await checkAccess(lab);
    },
  },
  {
    name: 'where it checks its access, never says that it is let in by a cloud that cannot be asked',
    async check(lab) {
      if (lab.provider.checkAccess === undefined) return;
      const repair = await lab.breakCloud();
      await rejection(lab, 'it was let in although the cloud could not be asked');
      await repair();
      await checkAccess(lab);
    },
  },
  {
    name: 'where it checks its access, says in words that credentials are refused, and recovers',
    async check(lab) {
      if (lab.provider.checkAccess === undefined) return;
      assert(lab.revokeAccess !== undefined, 'the lab cannot revoke the access that is checked');
      const giveBack = await lab.revokeAccess();
      const err = await rejection(lab, 'it was let in with credentials that the cloud refuses');
      assert.notEqual(err.message, '', 'the refusal says nothing');
      assert.equal(Reflect.get(err, 'retry'), 'never', 'it is called an error that may pass');
      const code: unknown = Reflect.get(err, 'code');
      assert(typeof code === 'string' && code !== '', `the error has no code: ${err.message}`);
      await giveBack();
      await checkAccess(lab);
    },
  },
  {
    name: 'where it checks its access, stops when it is told to, and takes that for no access',
    async check(lab) {
      if (lab.provider.checkAccess === undefined) return;
      const controller = new AbortController();
      controller.abort(new Error('the exam is over'));
      await rejection(lab, 'it went on although it was told to stop', controller.signal);
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
    assert(err instanceof Error, 'it rejected with something that is no Error');
    return err;
  }
  return assert.fail(otherwise);
}
