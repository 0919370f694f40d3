import { ownWritesAcrossTerms } from './001-own-writes-across-terms.ts';
import { guardFailedOnOwnWrite } from './002-guard-failed-on-own-write.ts';
import { deadDefaultRoute } from './003-dead-default-route.ts';
import { unknownInstance } from './004-unknown-instance.ts';
import { pluginBeforeMark } from './005-plugin-before-mark.ts';
import { outdatedVerdict } from './006-outdated-verdict.ts';
import { returnedBlock } from './007-returned-block.ts';
import { firstLeaderBehind } from './008-first-leader-behind.ts';
import { changedBackUnseen } from './009-changed-back-unseen.ts';
import { goneWhileWaiting } from './010-gone-while-waiting.ts';
import type { Regression } from './regression.ts';

export type { Regression };

export const regressions: readonly Regression[] = [
  ownWritesAcrossTerms,
  guardFailedOnOwnWrite,
  deadDefaultRoute,
  unknownInstance,
  pluginBeforeMark,
  outdatedVerdict,
  returnedBlock,
  firstLeaderBehind,
  changedBackUnseen,
  goneWhileWaiting,
];
