import { testWorlds } from './worlds.ts';

testWorlds('even');
