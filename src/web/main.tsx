import { createRoot } from 'react-dom/client';
import './theme/kit.ts';
import { App } from './app.tsx';

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no element with the id "root".');
createRoot(place).render(<App />);
