// Writes docs/metrics.md from the definitions in src/domain. Needs the project's own Node: node_modules/.bin/node scripts/metrics-docs.js
import { writeFileSync } from 'node:fs';
import { definitionsPage } from '../src/domain/metrics/definitions-page.ts';

writeFileSync(new URL('../docs/metrics.md', import.meta.url), definitionsPage());
