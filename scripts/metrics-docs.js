// Writes docs/metrics.md from the definitions in src/domain. Needs the project's own Node: node_modules/.bin/node scripts/metrics-docs.js
import { writeFileSync } from 'node:fs';
import { definitions } from '../src/domain/metrics/definitions.ts';
import { definitionsPage } from '../src/domain/metrics/definitions-page.ts';
import { whereFiguresStand } from './where-figures-stand.ts';

const page = definitionsPage(whereFiguresStand(Object.keys(definitions)));
writeFileSync(new URL('../docs/metrics.md', import.meta.url), page);
