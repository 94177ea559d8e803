// A utility process that crashes.
process.kill(process.pid, 'SIGSEGV');
