<?php

function people($db, $link, Request $request)
{
    $name = $_GET['name'];
    // ruleid: parapet.php.sql-injection-request
    mysqli_query($link, "select * from people where name = '$name'");
    // ruleid: parapet.php.sql-injection-request
    $db->query('select * from people where id = ' . $_POST['id']);
    // ok: parapet.php.sql-injection-request
    $db->query('select * from people where id = ' . (int) $_POST['id']);
    // ok: parapet.php.sql-injection-request
    $db->prepare('select * from people where name = ?')->execute([$name]);
    // ruleid: parapet.php.sql-injection-raw-request
    DB::select("select * from people where name = '" . $request->input('name') . "'");
    // ruleid: parapet.php.sql-injection-raw-request
    $query->orderByRaw($_GET['order']);
    // ok: parapet.php.sql-injection-raw-request
    DB::select('select * from people where name = ?', [$request->input('name')]);
    // ok: parapet.php.sql-injection-raw-request
    $query->orderByRaw('created_at desc');
    // ruleid: parapet.php.command-injection-request
    exec('ls ' . $_GET['folder']);
    // ruleid: parapet.php.command-injection-request
    shell_exec("ping $name");
    // ok: parapet.php.command-injection-request
    exec('ls ' . escapeshellarg($_GET['folder']));
    // ok: parapet.php.command-injection-request
    shell_exec('uptime');
    // ruleid: parapet.php.code-injection-request
    eval($_POST['code']);
    // ruleid: parapet.php.code-injection-request
    call_user_func($_GET['callback'], 1);
    // ok: parapet.php.code-injection-request
    call_user_func('trim', $_GET['text']);
    // ok: parapet.php.code-injection-request
    call_user_func([$this, 'run'], $_GET['text']);
    // ruleid: parapet.php.file-inclusion-request
    include $_GET['page'];
    // ruleid: parapet.php.file-inclusion-request
    require_once 'pages/' . $_GET['page'] . '.php';
    // ok: parapet.php.file-inclusion-request
    include 'pages/' . basename($_GET['page']) . '.php';
    // ok: parapet.php.file-inclusion-request
    include 'pages/home.php';
    // ruleid: parapet.php.path-traversal-request
    readfile('files/' . $_GET['file']);
    // ruleid: parapet.php.path-traversal-request
    unlink($_POST['file']);
    // ok: parapet.php.path-traversal-request
    readfile('files/' . basename($_GET['file']));
    // ok: parapet.php.path-traversal-request
    file_get_contents('files/fixed.txt');
    // ruleid: parapet.php.xss-echo-request
    echo '<p>' . $_GET['name'] . '</p>';
    // ruleid: parapet.php.xss-echo-request
    print($name);
    // ok: parapet.php.xss-echo-request
    echo '<p>' . htmlspecialchars($_GET['name']) . '</p>';
    // ok: parapet.php.xss-echo-request
    echo '<p>' . (int) $_GET['page'] . '</p>';
    // ruleid: parapet.php.ssrf-request
    curl_init($_GET['url']);
    // ruleid: parapet.php.ssrf-request
    curl_setopt($curl, CURLOPT_URL, 'https://' . $_POST['host']);
    // ok: parapet.php.ssrf-request
    curl_init('https://api.example.com/items/' . $_GET['id']);
    // ok: parapet.php.ssrf-request
    curl_setopt($curl, CURLOPT_POSTFIELDS, $_POST['body']);
    // ruleid: parapet.php.open-redirect-request
    header('Location: ' . $_GET['next']);
    // ruleid: parapet.php.open-redirect-request
    redirect($request->input('next'));
    // ok: parapet.php.open-redirect-request
    header('Location: /search?q=' . urlencode($_GET['q']));
    // ok: parapet.php.open-redirect-request
    redirect('/home');
    // ruleid: parapet.php.unsafe-deserialization-request
    unserialize($_COOKIE['state']);
    // ruleid: parapet.php.unsafe-deserialization-request
    unserialize(base64_decode($_POST['state']));
    // ok: parapet.php.unsafe-deserialization-request
    json_decode($_COOKIE['state']);
    // ok: parapet.php.unsafe-deserialization-request
    unserialize(file_get_contents('cache'));
    // ruleid: parapet.php.extract-request
    extract($_POST);
    // ruleid: parapet.php.extract-request
    extract($_REQUEST, EXTR_OVERWRITE);
    // ok: parapet.php.extract-request
    extract($row);
    // ok: parapet.php.extract-request
    $id = $_POST['id'];
    // ruleid: parapet.php.upload-name-from-request
    move_uploaded_file($_FILES['f']['tmp_name'], 'uploads/' . $_FILES['f']['name']);
    $given = $file->getClientOriginalName();
    // ruleid: parapet.php.upload-name-from-request
    $file->storeAs('uploads', $given);
    // ok: parapet.php.upload-name-from-request
    move_uploaded_file($_FILES['f']['tmp_name'], 'uploads/' . bin2hex(random_bytes(16)));
    // ok: parapet.php.upload-name-from-request
    $file->store('uploads');
}

function connect($curl)
{
    // ruleid: parapet.php.tls-verification-off
    curl_setopt($curl, CURLOPT_SSL_VERIFYPEER, false);
    // ruleid: parapet.php.tls-verification-off
    $client = new Client(['timeout' => 5, 'verify' => false]);
    // ok: parapet.php.tls-verification-off
    curl_setopt($curl, CURLOPT_SSL_VERIFYPEER, true);
    // ok: parapet.php.tls-verification-off
    $client = new Client(['timeout' => 5]);
    // ruleid: parapet.php.weak-cipher
    openssl_encrypt($text, 'des-ede3-cbc', $key);
    // ruleid: parapet.php.weak-cipher
    openssl_encrypt($text, 'aes-256-ecb', $key);
    // ok: parapet.php.weak-cipher
    openssl_encrypt($text, 'aes-256-gcm', $key, 0, $iv, $tag);
    // ok: parapet.php.weak-cipher
    sodium_crypto_secretbox($text, $nonce, $key);
    // ruleid: parapet.php.fast-password-hash
    md5($password);
    // ruleid: parapet.php.fast-password-hash
    sha1($_POST['password']);
    // ok: parapet.php.fast-password-hash
    md5($content);
    // ok: parapet.php.fast-password-hash
    password_hash($password, PASSWORD_DEFAULT);
    // ruleid: parapet.php.weak-random-token
    $token = md5(uniqid());
    // ruleid: parapet.php.weak-random-token
    $reset_code = mt_rand(100000, 999999);
    // ok: parapet.php.weak-random-token
    $token = bin2hex(random_bytes(16));
    // ok: parapet.php.weak-random-token
    $color = mt_rand(0, 255);
    // ruleid: parapet.php.loose-secret-comparison
    if (md5($text) == $stored) {
        return true;
    }
    // ruleid: parapet.php.loose-secret-comparison
    if (hash_hmac('sha256', $body, $key) === $given) {
        return true;
    }
    // ok: parapet.php.loose-secret-comparison
    if (hash_equals(hash_hmac('sha256', $body, $key), $given)) {
        return true;
    }
    // ok: parapet.php.loose-secret-comparison
    if (md5($text) === $stored) {
        return true;
    }
    // ruleid: parapet.php.cookie-without-flags
    setcookie('session', $id, 0, '/', '', true, false);
    // ruleid: parapet.php.cookie-without-flags
    setcookie('session', $id, ['secure' => true, 'httponly' => false]);
    // ok: parapet.php.cookie-without-flags
    setcookie('session', $id, ['secure' => true, 'httponly' => true]);
    // ok: parapet.php.cookie-without-flags
    setcookie('session', $id, 0, '/', '', true, true);
    // ruleid: parapet.php.errors-shown
    ini_set('display_errors', '1');
    // ruleid: parapet.php.errors-shown
    phpinfo();
    // ok: parapet.php.errors-shown
    ini_set('display_errors', '0');
    // ok: parapet.php.errors-shown
    ini_set('log_errors', '1');
    // ruleid: parapet.php.xml-external-entities
    $dom->loadXML($text, LIBXML_NOENT | LIBXML_DTDLOAD);
    // ruleid: parapet.php.xml-external-entities
    simplexml_load_string($text, 'SimpleXMLElement', LIBXML_NOENT);
    // ok: parapet.php.xml-external-entities
    $dom->loadXML($text, LIBXML_NONET);
    // ok: parapet.php.xml-external-entities
    simplexml_load_string($text);
    // ruleid: parapet.php.laravel-mass-assignment
    User::create($request->all());
    // ruleid: parapet.php.laravel-mass-assignment
    $user->update($request->all());
    // ok: parapet.php.laravel-mass-assignment
    User::create($request->validated());
    // ok: parapet.php.laravel-mass-assignment
    $user->update($request->only(['name']));
    // ruleid: parapet.php.wordpress-unprepared-query
    $wpdb->prepare("select * from t where id = " . $_GET['id'], []);
    // ruleid: parapet.php.wordpress-unprepared-query
    $wpdb->prepare("select * from t where name = '" . $_POST['name'] . "'", []);
    // ok: parapet.php.wordpress-unprepared-query
    $wpdb->prepare("select * from t where id = %d", $_GET['id']);
    // ok: parapet.php.wordpress-unprepared-query
    $wpdb->prepare("select * from {$wpdb->prefix}t where id = %d", $id);
}
