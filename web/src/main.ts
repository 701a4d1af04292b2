// Starts the client: preferences, language, then the page.
import { mount } from 'svelte';
import './styles/tokens.css';
import './styles/base.css';
import App from './App.svelte';
import { loadLocale } from './lib/i18n';
import { settings } from './lib/settings.svelte';
import { version } from './lib/version.svelte';

addEventListener('vite:preloadError', () => void version.missing());

settings.apply();
await loadLocale(settings.locale);
mount(App, { target: document.getElementById('app')! });
