const { provider, response } = document.getElementById('relay').dataset;
sessionStorage.setItem('parapet-saml', response);
location.replace(`/sso/${provider}`);
