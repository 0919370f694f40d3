export { kepTables } from './kep-tables.ts';
