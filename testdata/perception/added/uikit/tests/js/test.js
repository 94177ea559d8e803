// What the tests of UIkit load, which its package leaves out: the styles and the scripts.
document.write('<link rel="stylesheet" href="../dist/css/uikit.css"><script src="../dist/js/uikit.js"></script><script src="../dist/js/uikit-icons.js"></script>');
