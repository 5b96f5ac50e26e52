export {
  type ColumnOf,
  type Drawn,
  labels,
  names,
  numbers,
  type Style,
  type Table,
  tableOf,
  words,
} from './columns.ts';
export { fittedTo } from './fit.ts';
export { type PagePart, pageText } from './page.ts';
export { plain } from './plain.ts';
export { listTable, type TextTable } from './table.ts';
export { wrapped } from './wrap.ts';
