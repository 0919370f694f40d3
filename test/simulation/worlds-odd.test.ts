import { testWorlds } from './worlds.ts';

testWorlds('odd');
