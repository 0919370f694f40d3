export { reportMoves } from './report-moves.ts';
export { StaticRoutes } from './static-routes.ts';
export { nodeTableFiles, type TableFiles } from './table-files.ts';
