export { type Colours, toText } from './ansi.ts';
export { convergedText } from './frame.ts';
export { LiveView, type Terminal } from './live-view.ts';
export { type Pictured, pictureOf } from './picture.ts';
export { PlainView, tableText } from './plain-view.ts';
export { poolTexts } from './pools.ts';
export { routeTexts } from './routes.ts';
export { layOutTable } from './table.ts';
